import jwt from 'jsonwebtoken';
import { signToken, verifyToken } from '../../../lib/crypto/tokens';

const OLD = 'an earlier secret of at least 32 characters';
const NEW = 'the current secret of at least 32 characters';
const options = { audience: 'test' };
const withSecrets = (...secrets: string[]) => ({ secrets, purpose: null });

const sign = (secrets: string[], expiresIn = 60): string =>
  signToken(withSecrets(...secrets), { sid: 'ses' }, { ...options, expiresIn });

describe('tokens with several secrets', () => {
  test('the first secret signs, and every secret verifies', () => {
    const [before, after] = [sign([OLD]), sign([NEW, OLD])];
    for (const token of [before, after])
      expect(verifyToken(withSecrets(NEW, OLD), token, options)).toMatchObject({ sid: 'ses' });
    // A process that has not been restarted yet accepts the new secret, too.
    expect(verifyToken(withSecrets(OLD, NEW), after, options)).toMatchObject({ sid: 'ses' });
    expect(() => verifyToken(withSecrets(OLD), after, options)).toThrow('invalid signature');
    expect(() => verifyToken(withSecrets(NEW), before, options)).toThrow('invalid signature');
  });

  test('an expired token is reported as expired, whichever secret signed it', () => {
    expect(() => verifyToken(withSecrets(NEW, OLD), sign([OLD], -60), options)).toThrow(jwt.TokenExpiredError);
  });

  test('another algorithm, audience or purpose is rejected', () => {
    const hs512 = jwt.sign({}, OLD, { ...options, algorithm: 'HS512' });
    expect(() => verifyToken(withSecrets(NEW, OLD), hs512, options)).toThrow('invalid algorithm');
    expect(() => verifyToken(withSecrets(NEW, OLD), sign([OLD]), { audience: 'other' })).toThrow('audience');
    const purposes = { secrets: [NEW, OLD], purpose: 'vouch-file' };
    expect(() => verifyToken(purposes, sign([OLD]), options)).toThrow('invalid signature');
  });
});
