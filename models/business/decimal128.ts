import { Types } from 'mongoose';
import { Decimal } from '../../domain/business/decimal';

/** Converts a decimal for MongoDB and back, exactly for up to 34 digits. */
export const toDecimal128 = (value: Decimal): Types.Decimal128 => Types.Decimal128.fromString(value.toFixed());

/** The exact value of a stored decimal. */
export const fromDecimal128 = (value: Types.Decimal128): Decimal => new Decimal(value.toString());
