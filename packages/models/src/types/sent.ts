/** A type of a vendor's SDK as it is sent: nothing in it changes. */
export type Sent<Type> = Type extends readonly (infer Item)[]
  ? readonly Sent<Item>[]
  : Type extends object
    ? { readonly [Key in keyof Type]: Sent<Type[Key]> }
    : Type;
