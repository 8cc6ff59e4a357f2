package gatebook.events;

import gatebook.events.call.Bytes;

/**
 * A witness refused to cosign a checkpoint, because it does not go on from what the witness saw
 * before: it saw another history of this log.
 *
 * @param witness the verifier key of the witness, as text
 * @param origin of the log
 * @param oldSize the size that the witness saw before
 * @param treeSize of the checkpoint
 * @param rootHash of the checkpoint
 */
@Named(name = "CosignatureRefused", version = "1")
public record CosignatureRefused(
    String witness, String origin, long oldSize, long treeSize, Bytes rootHash) implements Event {}
