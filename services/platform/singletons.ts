/**
 * State that a feature keeps for the life of the process, such as locks or queues: one instance of each class, created
 * on first use. The platform owns it, so that no module holds mutable state of its own.
 */
export class Singletons {
  private readonly instances = new Map<new () => object, object>();

  /** The one instance of a class, which is its own key; created by its constructor without arguments. */
  get<T extends object>(type: new () => T): T {
    const existing = this.instances.get(type);
    if (existing instanceof type) return existing;
    const created = new type();
    this.instances.set(type, created);
    return created;
  }
}
