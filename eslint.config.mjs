import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/** Limits that keep files and functions readable; blank lines and comments do not count. */
const SIZE_LIMITS = {
  'max-lines': ['error', { max: 350, skipBlankLines: true, skipComments: true }],
  'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
};

// TypeScript has type-aware rules. The plain .mjs launchers run before `npm ci`, so they use Node's own modules only.
export default tseslint.config(
  {
    ignores: ['dist/**', 'clients/*/dist/**', '.vouch/**', 'node_modules/**', 'coverage/**', '.dependency-cruiser.cjs'],
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
    },
  },
  { files: ['**/*.{ts,mjs,cjs}'], rules: SIZE_LIMITS },
  { files: ['clients/typescript/src/generated/**'], rules: { 'max-lines': 'off' } },
  {
    // A describe block is one function, however many tests it contains.
    files: ['test/**/*.ts'],
    rules: { 'max-lines-per-function': 'off' },
  },
  {
    files: ['scripts/**/*.ts', 'bench/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    // Configuration is read in one module, and requests to other hosts are sent by one module.
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
        { object: 'process', property: 'env', message: 'Only lib/config.ts reads the environment.' },
      ],
      'no-restricted-globals': [
        'error',
        { name: 'fetch', message: 'Only lib/egress/egress.ts sends requests to other hosts.' },
      ],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            { name: 'undici', message: 'Only lib/egress/egress.ts sends requests to other hosts.' },
            { name: 'http', message: 'Only lib/egress/egress.ts sends requests to other hosts.' },
            { name: 'https', message: 'Only lib/egress/egress.ts sends requests to other hosts.' },
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
