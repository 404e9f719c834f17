/** A step of setting up an organisation, which a record of the organisation proves. */
export interface SetupStep<S extends string> {
  step: S;
  done: boolean;
}

/** How a step is proven: by a record that callers with the permission may read. */
export interface SetupProof {
  permission: string;
  isDone(): Promise<boolean>;
}

/** The state of each step that the caller may read, in the order of `proofs`. */
export async function listSetupSteps<S extends string>(
  proofs: Readonly<Record<S, SetupProof>>,
  permissions: ReadonlySet<string>,
): Promise<SetupStep<S>[]> {
  const names = (Object.keys(proofs) as S[]).filter((step) => permissions.has(proofs[step].permission));
  return Promise.all(names.map(async (step) => ({ step, done: await proofs[step].isDone() })));
}
