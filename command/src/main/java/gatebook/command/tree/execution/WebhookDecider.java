package gatebook.command.tree.execution;

import gatebook.command.call.Decision;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.Rules;
import gatebook.events.Event;
import gatebook.events.TreeWebhookDelivered;
import gatebook.events.TreeWebhookFailed;
import gatebook.events.TreeWebhookTakenOver;
import gatebook.events.tree.TreeWebhook;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Decides what is recorded of the webhook of a tree's execution. */
public final class WebhookDecider {
  private final Supplier<Scrubber> scrubber;

  public WebhookDecider(Supplier<Scrubber> scrubber) {
    this.scrubber = scrubber;
  }

  /** The webhook that an execution starts with; absent when its caller wants none. */
  public @Nullable TreeWebhook webhook(StartExecution command, Rules rules) {
    WebhookDraft draft = command.webhook();
    return draft == null
        ? null
        : new TreeWebhook(scrubber.get().scrub(rules.shownWebhook(draft.url())), draft.config());
  }

  /** Whether it is recorded: not when the last message was delivered or given up before. */
  public Decision<Boolean> decide(RecordDelivery command, @Nullable OpenDelivery open) {
    return open == null
        ? new Decision<>(List.of(), false)
        : new Decision<>(List.of(outcome(command, open)), true);
  }

  private Event outcome(RecordDelivery command, OpenDelivery open) {
    return switch (command.outcome()) {
      case RecordDelivery.Outcome.Delivered(var status) ->
          new TreeWebhookDelivered(
              open.treeId(),
              open.owner(),
              open.executionId(),
              command.type(),
              command.taskId(),
              command.last(),
              command.attempt(),
              status,
              command.at());
      case RecordDelivery.Outcome.NotDelivered(var status, var reason, var givenUp) ->
          new TreeWebhookFailed(
              open.treeId(),
              open.owner(),
              open.executionId(),
              command.type(),
              command.taskId(),
              command.last(),
              command.attempt(),
              status,
              scrubber.get().scrub(reason),
              givenUp,
              command.at());
    };
  }

  /** Whether it was taken over: not while the execution runs, or when another was faster. */
  public static Decision<Boolean> decide(TakeOverWebhook command, @Nullable OpenDelivery open) {
    return open == null || open.end() == null || !open.claimedAt().equals(command.claimedAt())
        ? new Decision<>(List.of(), false)
        : new Decision<>(
            List.of(
                new TreeWebhookTakenOver(
                    open.treeId(), open.owner(), open.executionId(), command.at())),
            true);
  }
}
