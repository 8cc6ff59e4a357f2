package gatebook.events;

import java.util.UUID;

/**
 * An erasure of content was completed: its keys are destroyed on this node.
 *
 * @param keys how many were destroyed
 * @param heldCalls how many held calls ended because their content went
 */
@Named(name = "ErasureCompleted", version = "1")
public record ErasureCompleted(UUID erasureId, long keys, long heldCalls) implements ErasureEvent {}
