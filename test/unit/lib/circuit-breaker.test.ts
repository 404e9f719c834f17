import { CircuitBreaker } from '../../../lib/circuit-breaker';

const OPTIONS = { failuresToOpen: 3, retryAfterMs: 1000 };

function openCircuit() {
  const clock = { ms: 0 };
  const circuit = new CircuitBreaker({ ...OPTIONS, now: () => clock.ms });
  for (let failure = 0; failure < OPTIONS.failuresToOpen; failure += 1) circuit.recordFailure();
  return { circuit, clock };
}

test('a circuit opens only after consecutive failures', () => {
  const circuit = new CircuitBreaker(OPTIONS);
  circuit.recordFailure();
  circuit.recordFailure();
  circuit.recordSuccess();
  circuit.recordFailure();
  circuit.recordFailure();
  expect(circuit.tryEnter()).toBe(true);
  circuit.recordFailure();
  expect([circuit.isOpen, circuit.tryEnter()]).toEqual([true, false]);
});

test('an open circuit lets one probe through per interval', () => {
  const { circuit, clock } = openCircuit();
  clock.ms = 1000;
  expect([circuit.tryEnter(), circuit.tryEnter()]).toEqual([true, false]);
  clock.ms = 2000;
  expect(circuit.tryEnter()).toBe(true);
});

test('a successful probe closes the circuit, a failed one keeps it open', () => {
  const { circuit, clock } = openCircuit();
  clock.ms = 1000;
  circuit.tryEnter();
  circuit.recordFailure();
  clock.ms = 1999;
  expect(circuit.tryEnter()).toBe(false);
  clock.ms = 2000;
  circuit.tryEnter();
  circuit.recordSuccess();
  expect([circuit.isOpen, circuit.tryEnter(), circuit.tryEnter()]).toEqual([false, true, true]);
});
