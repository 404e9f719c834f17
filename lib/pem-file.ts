import { readFileSync } from 'node:fs';
import { ConfigError } from './config-error';

/**
 * Reads a PEM file that a setting names.
 * @param name of the setting
 * @throws ConfigError if it cannot be read
 */
export function readPem(name: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    throw new ConfigError(`${name}: cannot be read; accepts the path of a PEM file.`);
  }
}
