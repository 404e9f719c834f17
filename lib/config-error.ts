/** A wrong or missing environment variable: the message names it and what it accepts. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
