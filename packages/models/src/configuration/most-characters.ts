/** What is longer is no configuration, and parsing it could take long. */
export const mostCharacters = 65_536;
