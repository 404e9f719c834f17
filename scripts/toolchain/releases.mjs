/**
 * The official download of a program whose releases are on GitHub, as `<archive>.tar.gz` next to a `checksums.txt`.
 * @param {object} release
 * @param {string} release.repository such as `temporalio/cli`
 * @param {string} release.version without the leading `v`
 * @param {Record<string, string>} release.platforms names of the publisher for Node's `<platform> <arch>`
 * @param {(platform: string) => string} release.archive name of the archive for a platform, without its extension
 * @param {(archive: string) => string} release.member path of the executable in the archive
 * @returns {import('./resolver.mjs').Tool['official']}
 */
export const githubRelease =
  ({ repository, version, platforms, archive, member }) =>
  async () => {
    const platform = platforms[`${process.platform} ${process.arch}`];
    if (platform === undefined) return null;
    const release = `https://github.com/${repository}/releases/download/v${version}`;
    const name = archive(platform);
    return { url: `${release}/${name}.tar.gz`, checksumUrl: `${release}/checksums.txt`, member: member(name) };
  };
