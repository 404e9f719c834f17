import { model, Schema } from 'mongoose';
import { HOUR_SECONDS } from '../../../domain/durations';

/** One running process of the service. It renews `aliveUntil` every second by the clock of MongoDB. */
const processHeartbeatSchema = new Schema(
  {
    _id: { type: String, required: true },
    /** `api`, `worker` or the name of a command. */
    name: { type: String, required: true },
    /** Id of the master key with which it encrypts. */
    masterKeyId: { type: String, default: null },
    aliveUntil: { type: Date, required: true },
  },
  {
    collection: 'process_heartbeats',
    versionKey: false,
    strict: 'throw',
    // A heartbeat is lost with the primary that it was written to, and written again a second later. Read with the
    // majority, it would be missing while other members are behind, and running processes would count as dead.
    writeConcern: { w: 1 },
    readConcern: { level: 'local' },
  },
);
// Removes what killed processes left behind.
processHeartbeatSchema.index({ aliveUntil: 1 }, { expireAfterSeconds: HOUR_SECONDS });

export const ProcessHeartbeat = model('ProcessHeartbeat', processHeartbeatSchema);
