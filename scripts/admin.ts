import path from 'node:path';
import { Command } from 'commander';
import { endWithReader, reportFailure } from './admin/failure';

/** Scripts that run without being compiled; a container image does not contain them. */
const toolchain = path.resolve(__dirname, '..', '..', 'scripts', 'toolchain');

/** Adds its commands to the program. */
type AddCommands = (program: Command) => void;

/**
 * The modules of the commands, in the order in which they are listed. Only that of the command that is run is loaded,
 * since all of them take longer to load than most commands take to run.
 */
const COMMAND_MODULES: readonly { commands: readonly string[]; load: () => Promise<AddCommands> }[] = [
  {
    commands: ['create-organisation', 'allow-egress'],
    load: async () => (await import('./admin/organisations.js')).addOrganisationCommands,
  },
  {
    commands: ['create-user', 'unlock-user', 'reset-password', 'remove-second-factor'],
    load: async () => (await import('./admin/users.js')).addUserCommands,
  },
  {
    commands: ['create-key', 'rotate-signing-key'],
    load: async () => (await import('./admin/keys.js')).addKeyCommands,
  },
  {
    commands: ['create-master-key'],
    load: async () => (await import('./admin/create-master-key.js')).addCreateMasterKeyCommand,
  },
  {
    commands: ['rotate-master-key'],
    load: async () => (await import('./admin/master-keys.js')).addMasterKeyCommands,
  },
  { commands: ['migrate'], load: async () => (await import('./admin/migrate.js')).addMigrateCommand },
  { commands: ['resume-workflows'], load: async () => (await import('./admin/resume.js')).addResumeCommand },
  {
    commands: ['verify-audit', 'verify-installation-audit'],
    load: async () => (await import('./admin/audit.js')).addAuditCommands,
  },
  { commands: ['lists'], load: async () => (await import('./admin/lists.js')).addListCommands },
  { commands: ['registers'], load: async () => (await import('./admin/registers.js')).addRegisterCommands },
  { commands: ['restart-sessions'], load: async () => (await import('./admin/sessions.js')).addSessionCommands },
  { commands: ['doctor'], load: async () => (await import('./admin/doctor.js')).addDoctorCommand },
  { commands: ['pools'], load: async () => (await import('./admin/pools.js')).addPoolsCommand },
  {
    commands: ['worker-versions', 'promote-workers'],
    load: async () => (await import('./admin/workers.js')).addWorkerCommands,
  },
  { commands: ['ensure-demo'], load: async () => (await import('./admin/demonstration.js')).addDemonstrationCommand },
];

/**
 * The program with the commands of the module that has the requested one, or with all of them if none is requested or
 * it is none of these.
 * @param requested the first argument; undefined without one
 */
async function createProgram(requested: string | undefined): Promise<Command> {
  const program = new Command('npm run admin --')
    .description(
      'Administers an installation: the one that MONGO_URL and the other variables name, else the running stack of this clone.',
    )
    .addHelpText(
      'after',
      '\nResults are JSON on standard output; pools, tools, models and doctor (without --json) print text.',
    );
  // Before the commands are added, because they copy the setting.
  program.showHelpAfterError();
  const matching = COMMAND_MODULES.filter(({ commands }) => requested !== undefined && commands.includes(requested));
  for (const { load } of matching.length > 0 ? matching : COMMAND_MODULES) (await load())(program);
  program.command('models <fetch|check>', 'download or verify the model weights', {
    executableFile: path.join(toolchain, 'models-command.mjs'),
  });
  program.command('tools', 'find or download the external programs', {
    executableFile: path.join(toolchain, 'tools-command.mjs'),
  });
  return program;
}

async function main(): Promise<void> {
  const program = await createProgram(process.argv[2]);
  if (process.argv.length <= 2) program.outputHelp();
  else await program.parseAsync();
}

endWithReader();
main().catch(reportFailure);
