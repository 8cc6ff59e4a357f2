package gatebook.api.anchor;

import gatebook.api.upstream.http.SingleMessages;
import gatebook.command.rules.AnchorRules;
import gatebook.command.rules.CheckpointRules;
import gatebook.command.rules.GatewayLimits;
import gatebook.events.journal.anchor.AnchorRecords;
import gatebook.events.journal.anchor.CheckpointAnchor;
import gatebook.events.journal.anchor.DirectoryAnchor;
import gatebook.events.journal.anchor.FileAnchor;
import gatebook.events.journal.storage.RepeatedTask;
import gatebook.events.journal.storage.StoredCheckpoint;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends the newest checkpoint to the anchors of the rules in force, each at its own interval. No
 * call waits for them, and what cannot be sent is sent with the next interval.
 */
public final class CheckpointAnchors implements MeterBinder, AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(250);

  private final Supplier<Optional<StoredCheckpoint>> newest;
  private final InstantSource clock;
  private final SingleMessages singleMessages = new SingleMessages();

  /** By the rules of each anchor. */
  private final Map<AnchorRules, AnchorSender> senders = new LinkedHashMap<>();

  private final Map<AnchorRules, List<Meter>> meters = new LinkedHashMap<>();
  private @Nullable MeterRegistry registry;
  private @Nullable AnchorRecords records;
  private @Nullable RepeatedTask task;

  /**
   * @param newest the newest checkpoint of the journal; empty before the first one
   */
  public CheckpointAnchors(Supplier<Optional<StoredCheckpoint>> newest, InstantSource clock) {
    this.newest = newest;
    this.clock = clock;
  }

  /**
   * Starts to send.
   *
   * @param rules those in force
   * @param anchorRecords closed with this
   */
  public synchronized void start(
      Supplier<CheckpointRules> rules,
      Supplier<GatewayLimits> limits,
      AnchorRecords anchorRecords) {
    records = anchorRecords;
    Runnable run = () -> send(rules.get().anchors(), limits, anchorRecords);
    run.run(); // so that the meters are there from the start
    task = new RepeatedTask("anchors", PAUSE, run::run).start();
  }

  private synchronized void send(
      List<AnchorRules> anchors, Supplier<GatewayLimits> limits, AnchorRecords anchorRecords) {
    List.copyOf(senders.keySet()).stream()
        .filter(it -> !anchors.contains(it))
        .forEach(this::remove);
    for (AnchorRules anchor : anchors) {
      if (!senders.containsKey(anchor)) {
        senders.put(
            anchor,
            new AnchorSender(anchor, anchorOf(anchor, limits), anchorRecords, newest, clock));
        meter(anchor);
      }
    }
    senders.values().forEach(AnchorSender::sendWhenDue);
  }

  private CheckpointAnchor anchorOf(AnchorRules anchor, Supplier<GatewayLimits> limits) {
    return switch (anchor.place()) {
      case AnchorRules.Directory(var path) -> new DirectoryAnchor(path, clock);
      case AnchorRules.AppendedFile(var path) -> new FileAnchor(path);
      case AnchorRules.Endpoint endpoint -> new EndpointAnchor(endpoint, singleMessages, limits);
    };
  }

  private void remove(AnchorRules anchor) {
    senders.remove(anchor);
    List<Meter> registered = meters.remove(anchor);
    if (registry != null && registered != null) {
      registered.forEach(registry::remove);
    }
  }

  /** The status of each anchor, in the order of the rules. */
  public synchronized List<AnchorStatus> statuses() {
    return senders.values().stream().map(AnchorSender::status).toList();
  }

  @Override
  public synchronized void bindTo(MeterRegistry meterRegistry) {
    registry = meterRegistry;
    senders.keySet().forEach(this::meter);
  }

  private void meter(AnchorRules anchor) {
    AnchorSender sender = senders.get(anchor);
    if (registry != null && sender != null) {
      List<Meter> registered = new ArrayList<>();
      registered.add(
          Gauge.builder("gatebook.anchor.age.seconds", sender, AnchorSender::ageSeconds)
              .tag("anchor", anchor.name())
              .description("seconds since the anchor had the newest checkpoint")
              .register(registry));
      registered.add(
          FunctionCounter.builder("gatebook.anchor.failures", sender, AnchorSender::failures)
              .tag("anchor", anchor.name())
              .description("checkpoints that this node could not send to the anchor")
              .register(registry));
      meters.put(anchor, registered);
    }
  }

  @Override
  public void close() {
    RepeatedTask running = task;
    if (running != null) {
      running.closeAndWait();
    }
    singleMessages.close();
    if (records != null) {
      records.close();
    }
  }
}
