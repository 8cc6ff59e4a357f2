package gatebook.events;

/**
 * An operator replaced the key that signs checkpoints. Both keys are verifier keys as text. The
 * checkpoint that covers this event first is signed by both, and each later one by the new key
 * only.
 */
@Named(name = "CheckpointKeyRotated", version = "1")
public record CheckpointKeyRotated(String operator, String oldKey, String newKey)
    implements Event {}
