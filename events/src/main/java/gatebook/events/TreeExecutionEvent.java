package gatebook.events;

import java.util.UUID;

/**
 * An event of the execution of a tree, or of its webhook. It is also found by the tag {@code
 * tree-execution}, so that a webhook is decided on without reading the whole tree.
 */
public sealed interface TreeExecutionEvent extends TreeEvent
    permits TreeExecutionStarted, TreeExecutionEnded, TreeWebhookEvent {

  UUID executionId();
}
