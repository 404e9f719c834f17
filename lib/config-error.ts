/** An invalid or missing environment variable. The message contains its name and the accepted values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
