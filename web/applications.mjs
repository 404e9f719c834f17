/** Folders of the applications. Each is built by itself: its name is the mode of the build. */
export const APPLICATIONS = ['capture', 'console'];
