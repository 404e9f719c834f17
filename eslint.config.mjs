import js from '@eslint/js';
import tseslint from 'typescript-eslint';

// Type-aware rules for everything that ships; the plain .mjs launchers run before `npm ci`, so they use Node alone.
export default tseslint.config(
  {
    ignores: [
      'dist/**',
      'clients/*/dist/**',
      '.vouch/**',
      'node_modules/**',
      'coverage/**',
      '.dependency-cruiser.cjs',
      '.puppeteerrc.cjs',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.test.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'max-lines': ['warn', { max: 350, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['warn', { max: 60, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: { 'max-lines-per-function': 'off' },
  },
  {
    files: ['scripts/**/*.ts', 'bench/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    // Configuration has one reader, the outside world one door.
    files: [
      'domain/**/*.ts',
      'models/**/*.ts',
      'services/**/*.ts',
      'workflows/**/*.ts',
      'activities/**/*.ts',
      'api/**/*.ts',
    ],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'lib/config.ts alone reads the environment.' },
      ],
      'no-restricted-globals': [
        'error',
        { name: 'fetch', message: 'lib/egress/egress.ts is the only HTTP client to the outside.' },
      ],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            { name: 'undici', message: 'lib/egress/egress.ts is the only HTTP client to the outside.' },
            { name: 'http', message: 'lib/egress/egress.ts is the only HTTP client to the outside.' },
            { name: 'https', message: 'lib/egress/egress.ts is the only HTTP client to the outside.' },
          ],
        },
      ],
    },
  },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'process',
          'console',
          'URL',
          'Buffer',
          'fetch',
          'Response',
          'AbortSignal',
          'AbortController',
          'setTimeout',
          'clearTimeout',
          'setInterval',
          'clearInterval',
          'require',
          'module',
          '__dirname',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
);
