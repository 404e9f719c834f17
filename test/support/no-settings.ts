/** Settings of an S3 server for what must not need one, such as a folder. */
export const readNoSettings = (): never => {
  throw new Error('The settings of an S3 server were read.');
};
