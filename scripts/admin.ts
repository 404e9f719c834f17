import path from 'node:path';
import { Command } from 'commander';
import { addAuditCommands } from './admin/audit';
import { addCreateMasterKeyCommand } from './admin/create-master-key';
import { addDemonstrationCommand } from './admin/demonstration';
import { addDoctorCommand } from './admin/doctor';
import { reportFailure } from './admin/failure';
import { addKeyCommands } from './admin/keys';
import { addMasterKeyCommands } from './admin/master-keys';
import { addListCommands } from './admin/lists';
import { addMigrateCommand } from './admin/migrate';
import { addResumeCommand } from './admin/resume';
import { addOrganisationCommands } from './admin/organisations';
import { addPoolsCommand } from './admin/pools';
import { addRegisterCommands } from './admin/registers';
import { addSessionCommands } from './admin/sessions';
import { addUserCommands } from './admin/users';
import { addWorkerCommands } from './admin/workers';

/** Scripts that run without being compiled; a container image does not contain them. */
const toolchain = path.resolve(__dirname, '..', '..', 'scripts', 'toolchain');

function createProgram(): Command {
  const program = new Command('npm run admin --')
    .description(
      'Administers an installation: the one that MONGO_URL and the other variables name, else the running stack of this clone.',
    )
    .addHelpText('after', '\nResults are JSON on standard output.');
  // Before the commands are added, because they copy the setting.
  program.showHelpAfterError();
  addOrganisationCommands(program);
  addUserCommands(program);
  addKeyCommands(program);
  addCreateMasterKeyCommand(program);
  addMasterKeyCommands(program);
  addMigrateCommand(program);
  addResumeCommand(program);
  addAuditCommands(program);
  addListCommands(program);
  addRegisterCommands(program);
  addSessionCommands(program);
  addDoctorCommand(program);
  addPoolsCommand(program);
  addWorkerCommands(program);
  addDemonstrationCommand(program);
  program.command('models <fetch|check>', 'download or verify the model weights', {
    executableFile: path.join(toolchain, 'models-command.mjs'),
  });
  program.command('tools', 'find or download the external programs', {
    executableFile: path.join(toolchain, 'tools-command.mjs'),
  });
  return program;
}

async function main(): Promise<void> {
  const program = createProgram();
  if (process.argv.length <= 2) program.outputHelp();
  else await program.parseAsync();
}

main().catch(reportFailure);
