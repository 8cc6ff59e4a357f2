package gatebook.api.flow.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.flow.executor.TreeServices;
import gatebook.api.flow.task.FlowRequest.WebhookConfig;
import gatebook.api.flow.webhook.WebhookMeters.Outcome;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.upstream.RetrySchedule;
import gatebook.api.upstream.http.ExchangeResult;
import gatebook.command.rules.Rules;
import gatebook.command.tree.execution.RecordDelivery;
import gatebook.command.tree.execution.RecordDelivery.Outcome.Delivered;
import gatebook.command.tree.execution.RecordDelivery.Outcome.NotDelivered;
import java.net.URI;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Delivers the messages of one webhook: each with its retries, and each attempt recorded before
 * anything follows from it.
 */
public final class WebhookDelivery {
  private static final int OK_FIRST = 200;
  private static final int REDIRECT_FIRST = 300;
  private static final int REFUSAL_FIRST = 400;
  private static final int FAILURE_FIRST = 500;
  private static final int FAILURE_LAST = 599;
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  private final TreeServices services;
  private final WebhookServices webhookServices;
  private final UUID executionId;
  private final String rootTaskId;
  private final WebhookConfig webhook;
  private final RetrySchedule schedule;

  public WebhookDelivery(
      TreeServices services,
      WebhookServices webhookServices,
      UUID executionId,
      String rootTaskId,
      WebhookConfig webhook) {
    this.services = services;
    this.webhookServices = webhookServices;
    this.executionId = executionId;
    this.rootTaskId = rootTaskId;
    this.webhook = webhook;
    this.schedule = RetrySchedule.doubling(FIRST_PAUSE, LONGEST_PAUSE, webhook.retriesMax());
  }

  /** Delivers a message; completed with whether its receiver accepted it. */
  public CompletableFuture<Boolean> deliver(WebhookMessage message) {
    return attempt(message, message.json(rootTaskId).getBytes(UTF_8), 1);
  }

  private CompletableFuture<Boolean> attempt(WebhookMessage message, byte[] body, int attempt) {
    RoutingSnapshot routingSnapshot = services.routingSnapshots().get();
    if (routingSnapshot.obstacle() != null) {
      return webhookServices
          .pause(FIRST_PAUSE.toMillis())
          .thenCompose(_ -> attempt(message, body, attempt));
    }
    return outcome(routingSnapshot.rules(), body, attempt)
        .thenCompose(outcome -> record(message, attempt, outcome))
        .thenCompose(outcome -> follow(outcome, message, body, attempt));
  }

  /** The rules in force now decide whether the address is still allowed. */
  private CompletableFuture<RecordDelivery.Outcome> outcome(Rules rules, byte[] body, int attempt) {
    return rules.allowsWebhook(URI.create(webhook.url()))
        ? webhookServices
            .client()
            .send(webhook, body, rules.limits())
            .thenApply(exchangeResult -> outcome(exchangeResult, attempt))
        : CompletableFuture.completedFuture(
            new NotDelivered(null, "the rules do not allow the address", true));
  }

  /** Failures of the receiver and of the network are retried, refusals are not. */
  private RecordDelivery.Outcome outcome(ExchangeResult exchangeResult, int attempt) {
    return exchangeResult instanceof ExchangeResult.Answered(var status, _, _)
        ? outcome(status, attempt)
        : failed(null, exchangeResult.failure().orElseThrow(), attempt);
  }

  private RecordDelivery.Outcome outcome(int status, int attempt) {
    if (status >= OK_FIRST && status < REDIRECT_FIRST) {
      return new Delivered(status);
    }
    if (status >= FAILURE_FIRST && status <= FAILURE_LAST) {
      return failed(status, "the receiver failed", attempt);
    }
    boolean isRedirect = status >= REDIRECT_FIRST && status < REFUSAL_FIRST;
    return new NotDelivered(
        status,
        isRedirect ? "redirects are not followed" : "the receiver refused the message",
        true);
  }

  private NotDelivered failed(@Nullable Integer status, String reason, int attempt) {
    return new NotDelivered(status, reason, schedule.isLast(attempt));
  }

  private CompletableFuture<RecordDelivery.Outcome> record(
      WebhookMessage message, int attempt, RecordDelivery.Outcome outcome) {
    webhookServices.meters().count(counted(outcome));
    RecordDelivery command =
        new RecordDelivery(
            executionId,
            message.type(),
            message.taskId(),
            message.isFinal(),
            attempt,
            outcome,
            services.clock().instant());
    return services.retryingSender().command(_ -> command, Boolean.class).thenApply(_ -> outcome);
  }

  private static Outcome counted(RecordDelivery.Outcome outcome) {
    return switch (outcome) {
      case Delivered _ -> Outcome.DELIVERED;
      case NotDelivered failed -> failed.givenUp() ? Outcome.GIVEN_UP : Outcome.RETRIED;
    };
  }

  private CompletableFuture<Boolean> follow(
      RecordDelivery.Outcome outcome, WebhookMessage message, byte[] body, int attempt) {
    return outcome instanceof NotDelivered failed && !failed.givenUp()
        ? webhookServices
            .pause(schedule.pauseAfter(attempt).toMillis())
            .thenCompose(_ -> attempt(message, body, attempt + 1))
        : CompletableFuture.completedFuture(outcome instanceof Delivered);
  }
}
