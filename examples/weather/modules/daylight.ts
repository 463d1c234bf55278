import type { AgentModule, AgentTool } from "mdx-ai";
import climate from "../data/climate.json";

const DEGREE = Math.PI / 180;
const DAY = 86_400_000;

const daylightHours: AgentTool = {
  name: "daylight_hours",
  description: "How long the sun is up in a city on a date",
  parameters: {
    type: "object",
    properties: {
      city: { type: "string", description: "One of the cities that there is data for" },
      date: { type: "string", format: "date", description: "Such as 2027-06-21" },
    },
    required: ["city", "date"],
    additionalProperties: false,
  },
  execute: async ({ city, date }) => {
    const hours = sunHours(latitudeOf(String(city)), dayOfYear(String(date)));
    return `${city}, ${date}: the sun is up for ${hours.toFixed(1)} hours`;
  },
};

/** A tool that computes, and a section of the prompt that says for which cities there is data. */
export default {
  describe: () => ({ name: "daylight", description: "Knows how long days are" }),
  initialize: async () => {},
  tools: () => [daylightHours],
  systemPrompt: () => `## Cities\n\nThere is data for ${climate.cities.map(({ name }) => name).join(", ")}.`,
  start: async () => {},
  stop: () => {},
} satisfies AgentModule;

function latitudeOf(name: string): number {
  const city = climate.cities.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (!city) throw new Error(`There is no data for ${JSON.stringify(name)}.`);
  return city.latitude;
}

function dayOfYear(date: string): number {
  const time = Date.parse(date);
  if (Number.isNaN(time)) throw new Error(`${JSON.stringify(date)} is no date; write it as 2027-06-21.`);
  return Math.floor((time - Date.UTC(new Date(time).getUTCFullYear(), 0)) / DAY) + 1;
}

/** Hours from sunrise to sunset by the sunrise equation, which is right to some minutes. */
function sunHours(latitude: number, day: number): number {
  const declination = -23.44 * DEGREE * Math.cos((2 * Math.PI * (day + 10)) / 365);
  // The sun counts as up while its upper edge, lifted by the air, shows: from 0.833 degrees below the horizon.
  const sine = Math.sin(-0.833 * DEGREE) - Math.sin(latitude * DEGREE) * Math.sin(declination);
  const cosine = sine / (Math.cos(latitude * DEGREE) * Math.cos(declination));
  return (24 / Math.PI) * Math.acos(Math.min(1, Math.max(-1, cosine)));
}
