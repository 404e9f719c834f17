// The toolchain finds Chromium (environment, PATH, registry package); puppeteer must not download its own.
module.exports = { skipDownload: true };
