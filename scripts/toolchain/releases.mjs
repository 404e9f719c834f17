/**
 * The official download of a program whose releases are on GitHub, as `<archive>.tar.gz`.
 * @param {object} release
 * @param {string} release.repository such as `temporalio/cli`
 * @param {string} release.version without the leading `v`
 * @param {Record<string, {name: string, sha256: string}>} release.platforms name of the publisher for Node's
 *   `<platform> <arch>`, and the checksum of its archive; a platform without a pinned checksum has no download
 * @param {(platform: string) => string} release.archive name of the archive for a platform, without its extension
 * @param {(archive: string) => string} release.member path of the executable in the archive
 * @returns {import('./resolver.mjs').Tool['official']}
 */
export const githubRelease =
  ({ repository, version, platforms, archive, member }) =>
  async () => {
    const platform = platforms[`${process.platform} ${process.arch}`];
    if (platform === undefined) return null;
    const name = archive(platform.name);
    const url = `https://github.com/${repository}/releases/download/v${version}/${name}.tar.gz`;
    return { url, sha256: platform.sha256, member: member(name) };
  };
