/** `Promise.withResolvers`, which Node 20 does not have. */
export function createDeferred<T>(): PromiseWithResolvers<T> {
  const deferred = {} as PromiseWithResolvers<T>;
  deferred.promise = new Promise<T>((resolve, reject) => Object.assign(deferred, { resolve, reject }));
  return deferred;
}
