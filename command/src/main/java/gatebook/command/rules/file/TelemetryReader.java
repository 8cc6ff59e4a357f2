package gatebook.command.rules.file;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Looks at {@code telemetry}, which another product acts on and this one does not. */
final class TelemetryReader {

  private static final long MOST = 1_000_000_000;

  private TelemetryReader() {}

  static void check(Value value) {
    value.warning("has no effect here: metrics are at /metrics of the admin port");
    Optional<Keys> keys = value.keys("enabled", "otlp", "sampling", "batch", "resource", "stdio");
    keys.ifPresent(it -> {
      it.get("enabled").ifPresent(Value::flag);
      it.get("otlp").ifPresent(TelemetryReader::otlp);
      it.get("sampling").ifPresent(TelemetryReader::sampling);
      it.get("batch").ifPresent(TelemetryReader::batch);
      it.get("resource").ifPresent(resource -> resource.named().values().forEach(Value::anyText));
      it.get("stdio").ifPresent(TelemetryReader::stdio);
    });
  }

  private static void otlp(Value value) {
    value
        .keys("endpoint", "protocol", "headers")
        .ifPresent(keys -> {
          keys.require("endpoint", "endpoint: http://…").ifPresent(Url::read);
          keys.get("protocol").ifPresent(it -> it.word(words("http/protobuf", "grpc")));
          keys.get("headers").ifPresent(TelemetryReader::headers);
        });
  }

  private static void headers(Value value) {
    value
        .named()
        .values()
        .forEach(header -> {
          header.report().secret(header.node());
          header.anyText();
        });
  }

  private static void sampling(Value value) {
    value
        .keys("strategy", "success_sample_rate")
        .ifPresent(keys -> {
          keys.get("strategy").ifPresent(it -> it.word(words("head", "tail")));
          keys.get("success_sample_rate").ifPresent(Value::share);
        });
  }

  private static void batch(Value value) {
    value
        .keys("max_queue_size", "max_export_batch_size", "scheduled_delay_ms", "export_timeout_ms")
        .ifPresent(keys -> {
          long queue =
              keys.get("max_queue_size").map(it -> it.whole(1, MOST).orElse(MOST)).orElse(2_048L);
          keys.get("max_export_batch_size").ifPresent(it -> it.whole(1, queue));
          keys.get("scheduled_delay_ms").ifPresent(it -> it.whole(100, MOST));
          keys.get("export_timeout_ms").ifPresent(it -> it.whole(100, MOST));
        });
  }

  private static void stdio(Value value) {
    value
        .keys("propagate_upstream")
        .flatMap(keys -> keys.get("propagate_upstream"))
        .ifPresent(Value::flag);
  }

  private static Map<String, String> words(String... words) {
    Map<String, String> map = new LinkedHashMap<>();
    List.of(words).forEach(word -> map.put(word, word));
    return map;
  }
}
