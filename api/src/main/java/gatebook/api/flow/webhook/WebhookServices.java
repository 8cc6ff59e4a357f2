package gatebook.api.flow.webhook;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

/**
 * The services that webhooks use.
 *
 * @param pauses completes a pause after its milliseconds
 */
public record WebhookServices(
    WebhookClient client, WebhookMeters meters, LongFunction<CompletableFuture<Void>> pauses) {

  public static WebhookServices overHttp(MeterRegistry meters) {
    return new WebhookServices(
        new HttpWebhookClient(), new WebhookMeters(meters), WebhookServices::realPause);
  }

  private static CompletableFuture<Void> realPause(long millis) {
    return CompletableFuture.runAsync(
        () -> {}, CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS));
  }

  CompletableFuture<Void> pause(long millis) {
    return pauses.apply(millis);
  }
}
