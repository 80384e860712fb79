import process from "node:process";

// Stands for the SDK's own file of this name in the built command: a validator of JSON Schemas is a third of the SDK, and
// nothing that this server offers has a schema for the SDK to check (the tools read their input themselves).

export { process };

/** Takes every value as it is. */
export class DefaultJsonSchemaValidator {
  getValidator<T>(): (value: unknown) => { valid: true; data: T; errorMessage: undefined } {
    return (value) => ({ valid: true, data: value as T, errorMessage: undefined });
  }
}
