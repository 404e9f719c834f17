/** The direction of imports that docs/architecture.md draws. */
const folder = (name) => `^${name}/`;
const only = (from, allowed, comment) => ({
  name: `${from}-imports`,
  comment,
  severity: 'error',
  from: { path: folder(from) },
  to: {
    path: '^(domain|models|services|workflows|activities|workers|api|lib|scripts|bench|test|web)/',
    pathNot: [from, ...allowed].map((name) => (name.includes('.') || name.includes('/') ? `^${name}` : folder(name))),
  },
});
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    only('domain', [], 'Pure rules know nothing of the rest.'),
    only('lib', ['domain'], 'Infrastructure knows errors, not use cases.'),
    only('models', ['domain', 'lib'], 'Schemas know the rules, not the use cases.'),
    only('services', ['domain', 'models', 'lib', 'workflows/contracts/'], 'Use cases start workflows by contract.'),
    only(
      'activities',
      ['services', 'models', 'domain', 'lib', 'workflows/contracts/'],
      'Activities are side effects of the pools.',
    ),
    only('api', ['services', 'models', 'domain', 'lib'], 'Routes parse, authorise and call one service.'),
    {
      name: 'workflows-imports',
      comment: 'Workflows are deterministic: domain and contracts, activities as types only.',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { path: '^(models|services|activities|workers|api|lib)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nothing-imports-the-entries',
      severity: 'error',
      from: { pathNot: '^(api|workers|test|scripts|bench)/' },
      to: { path: '^(api|workers)/' },
    },
    {
      name: 'clients-standalone',
      comment: 'A client is a package of its own: nothing of the service is in it, and the service does not use it.',
      severity: 'error',
      from: { path: '^clients/' },
      to: { path: '^(domain|models|services|workflows|activities|workers|api|lib|scripts|bench|test)/' },
    },
    {
      name: 'the-service-uses-no-client',
      severity: 'error',
      from: { pathNot: '^(clients|test|web)/' },
      to: { path: '^clients/' },
    },
    only('web', ['clients/typescript/'], 'The web applications know the service by its client only.'),
    {
      name: 'web-applications-are-apart',
      comment: 'What they share is in web/shared.',
      severity: 'error',
      from: { path: '^web/(capture|console|shared)/' },
      to: { path: '^web/(capture|console)/', pathNot: '^web/$1/' },
    },
    {
      name: 'nothing-imports-the-web-applications',
      severity: 'error',
      from: { pathNot: '^(web|test)/' },
      to: { path: '^web/' },
    },
    {
      name: 'identity-and-business-are-apart',
      comment: 'What they share is platform.',
      severity: 'error',
      from: { path: '/identity/', pathNot: '^test/' },
      to: { path: '^([a-z]+|web/console)/business/' },
    },
    {
      name: 'business-and-identity-are-apart',
      severity: 'error',
      from: { path: '/business/', pathNot: '^test/' },
      to: { path: '^([a-z]+|web/console)/identity/' },
    },
    {
      name: 'inference-and-ocr-live-in-vision',
      severity: 'error',
      from: { pathNot: '^(activities/vision|bench|test)/' },
      to: { path: 'node_modules/(onnxruntime-node|tesseract\\.js)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|node_modules|\\.vouch|clients/typescript/dist)' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js', '.json'] },
  },
};
