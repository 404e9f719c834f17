import { useForm } from '@mantine/form';
import type { UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { FormEvent } from 'react';
import { forgetUnanswered } from '../../shared/api/unanswered';
import { listFieldProblems } from '../../shared/failures';
import { useSessionQuery } from '../session';
import { useProblemText } from './use-problem-text';

export interface ApiFormOptions<V extends Record<string, unknown>, R> {
  initialValues: V;
  /** Sends the values to the API. */
  submit: (values: V) => Promise<R>;
  onDone?: (result: R, values: V) => void | Promise<void>;
}

export interface ApiForm<V extends Record<string, unknown>> {
  form: UseFormReturnType<V>;
  onSubmit: (event?: FormEvent<HTMLFormElement>) => void;
  isPending: boolean;
  /** The failure, unless all of it is shown at fields of the form; null without one. */
  failure: unknown;
  /** Removes the failure of the last attempt. */
  forgetFailure: () => void;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Whether a path such as `lines.0.quantity` leads to a field of the form. A list of lines has no field of its own. */
function hasField(values: unknown, path: string): boolean {
  let value = values;
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null || !(part in value)) return false;
    value = (value as Record<string, unknown>)[part];
  }
  return !Array.isArray(value) || !value.some(isObject);
}

/** A form whose values are checked by the API: problems of fields are shown at them, every other failure above them. */
export function useApiForm<V extends Record<string, unknown>, R>(options: ApiFormOptions<V, R>): ApiForm<V> {
  const describe = useProblemText();
  const form = useForm<V>({ mode: 'controlled', initialValues: options.initialValues });
  const mutation = useMutation({
    mutationFn: options.submit,
    onSuccess: async (result, values) => options.onDone?.(result, values),
    onError: (error, values) => {
      const problems = Object.entries(listFieldProblems(error)).filter(([path]) => hasField(values, path));
      form.setErrors(Object.fromEntries(problems.map(([path, problem]) => [path, describe(problem)])));
    },
  });
  const focused = useRef<Element | null>(null);
  useEffect(() => {
    // A button is disabled while the form is being sent, and loses the focus.
    if (!mutation.isError || document.activeElement !== document.body) return;
    if (focused.current instanceof HTMLElement) focused.current.focus({ preventScroll: true });
  }, [mutation.isError]);
  const { data: session } = useSessionQuery();
  const forgetFailure = mutation.reset;
  useEffect(() => {
    // Why the values could not be sent was the end of the sign-in, which they outlast.
    if (session === null) forgetFailure();
  }, [session, forgetFailure]);
  // The same values in a form that is opened anew are a new request.
  useEffect(() => forgetUnanswered, []);
  const problems = Object.keys(listFieldProblems(mutation.error));
  const send = form.onSubmit((values) => mutation.mutate(values));
  const atFields = problems.length > 0 && problems.every((path) => hasField(mutation.variables, path));
  return {
    form,
    onSubmit: (event) => {
      // A dialog can be within another form in React, which would be sent, too.
      event?.stopPropagation();
      focused.current = document.activeElement;
      send(event);
    },
    isPending: mutation.isPending,
    failure: atFields ? null : mutation.error,
    forgetFailure,
  };
}
