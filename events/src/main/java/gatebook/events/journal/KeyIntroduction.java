package gatebook.events.journal;

import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.checkpoint.VerifierKey;

/** The introduction of the key that is to sign checkpoints in the place of another. */
record KeyIntroduction(VerifierKey oldKey, CheckpointKey newKey) {}
