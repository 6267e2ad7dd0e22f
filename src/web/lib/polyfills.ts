/** The few built-ins that we and our libraries use and that engines of about 2020 do not have. */
const { prototype: text } = String;
const { prototype: row } = Array;
text.replaceAll ??= function replaceAll(this: string, find: string | RegExp, put: never): string {
  return typeof find === 'string' ? this.split(find).join(put) : this.replace(find, put);
};
row.at ??= function at<T>(this: T[], index: number): T | undefined {
  return this[index < 0 ? this.length + index : index];
};
Object.hasOwn ??= (of: object, name: PropertyKey): boolean => Object.prototype.hasOwnProperty.call(of, name);
export {};
