import { isGrpcServiceError } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { ConfigError } from './config-error';
import type { Logger } from './logger';
import { summariseError } from './logger';

const { IndexedValueType } = temporal.api.enums.v1;

/** Search attributes of the workflows with their types. */
const SEARCH_ATTRIBUTES = {
  VouchOrg: { type: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD, cli: 'Keyword' },
  VouchStatus: { type: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD, cli: 'Keyword' },
  VouchFeature: { type: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD_LIST, cli: 'KeywordList' },
  VouchSession: { type: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD, cli: 'Keyword' },
} as const;

type Attributes = [string, (typeof SEARCH_ATTRIBUTES)[keyof typeof SEARCH_ATTRIBUTES]][];
type Operator = Pick<temporal.api.operatorservice.v1.OperatorService, 'listSearchAttributes' | 'addSearchAttributes'>;

/** PERMISSION_DENIED and UNIMPLEMENTED of gRPC. Temporal Cloud manages search attributes with `tcld`, not by this call. */
const FORBIDDEN_STATUSES: readonly number[] = [7, 12];

const isForbidden = (error: unknown): boolean => isGrpcServiceError(error) && FORBIDDEN_STATUSES.includes(error.code);

const formatCommands = (namespace: string, attributes: Attributes): string[] =>
  attributes.map(
    ([name, { cli }]) =>
      `temporal operator search-attribute create --namespace ${namespace} --name ${name} --type ${cli}`,
  );

/** The attributes that the namespace lacks. */
async function findMissing(operator: Operator, namespace: string): Promise<Attributes> {
  const { customAttributes } = await operator.listSearchAttributes({ namespace });
  return Object.entries(SEARCH_ATTRIBUTES).filter(([name]) => !(name in (customAttributes ?? {})));
}

/**
 * Registers the search attributes that the namespace lacks. If the credential may not list or create them, this is
 * logged with their names and the commands: an administrator may have created them already.
 * @returns whether all of them are known to be registered
 * @throws ConfigError with the commands to run if Temporal rejects them for another reason
 */
export async function ensureSearchAttributes(
  operator: Operator,
  namespace: string,
  logger: Pick<Logger, 'warn'>,
): Promise<boolean> {
  const warn = (error: unknown, attributes: Attributes, message: string): false => {
    const types = Object.fromEntries(attributes.map(([name, { cli }]) => [name, cli]));
    const commands = formatCommands(namespace, attributes);
    logger.warn({ reason: summariseError(error), namespace, searchAttributes: types, commands }, message);
    return false;
  };
  let missing: Attributes;
  try {
    missing = await findMissing(operator, namespace);
  } catch (error) {
    if (!isForbidden(error)) throw error;
    const all = Object.entries(SEARCH_ATTRIBUTES);
    return warn(error, all, 'The credential may not list search attributes; an administrator must have created these');
  }
  if (missing.length === 0) return true;
  try {
    const searchAttributes = Object.fromEntries(missing.map(([name, { type }]) => [name, type]));
    await operator.addSearchAttributes({ namespace, searchAttributes });
    return true;
  } catch (error) {
    // Another process may have registered them at the same time.
    const left = await findMissing(operator, namespace);
    if (left.length === 0) return true;
    if (isForbidden(error))
      return warn(
        error,
        left,
        'Search attributes are missing: no workflow starts before an administrator creates them',
      );
    throw new ConfigError(
      `Temporal rejected the registration of search attributes (${String(error)}). An administrator must run:\n${formatCommands(
        namespace,
        left,
      )
        .map((command) => `  ${command}`)
        .join('\n')}`,
    );
  }
}
