package gatebook.command.rules.file;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks the section {@code telemetry}, which configures ThoughtGate and has no effect here. */
final class TelemetryReader {

  private static final long MOST = 1_000_000_000;

  private TelemetryReader() {}

  static void check(YamlValue yamlValue) {
    yamlValue.warning("has no effect here: metrics are at /metrics of the admin port");
    Optional<StrictMapping> keys =
        yamlValue.keys("enabled", "otlp", "sampling", "batch", "resource", "stdio");
    keys.ifPresent(it -> {
      it.get("enabled").ifPresent(YamlValue::bool);
      it.get("otlp").ifPresent(TelemetryReader::otlp);
      it.get("sampling").ifPresent(TelemetryReader::sampling);
      it.get("batch").ifPresent(TelemetryReader::batch);
      it.get("resource")
          .ifPresent(resource -> resource.entries().values().forEach(YamlValue::anyText));
      it.get("stdio").ifPresent(TelemetryReader::stdio);
    });
  }

  private static void otlp(YamlValue yamlValue) {
    yamlValue
        .keys("endpoint", "protocol", "headers")
        .ifPresent(strictMapping -> {
          strictMapping.require("endpoint", "endpoint: http://…").ifPresent(SourceUrl::read);
          strictMapping.get("protocol").ifPresent(it -> it.oneOf(words("http/protobuf", "grpc")));
          strictMapping.get("headers").ifPresent(TelemetryReader::headers);
        });
  }

  private static void headers(YamlValue yamlValue) {
    yamlValue
        .entries()
        .values()
        .forEach(header -> {
          header.report().maskSecret(header.node());
          header.anyText();
        });
  }

  private static void sampling(YamlValue yamlValue) {
    yamlValue
        .keys("strategy", "success_sample_rate")
        .ifPresent(strictMapping -> {
          strictMapping.get("strategy").ifPresent(it -> it.oneOf(words("head", "tail")));
          strictMapping.get("success_sample_rate").ifPresent(YamlValue::requireFraction);
        });
  }

  private static void batch(YamlValue yamlValue) {
    yamlValue
        .keys("max_queue_size", "max_export_batch_size", "scheduled_delay_ms", "export_timeout_ms")
        .ifPresent(strictMapping -> {
          long queue =
              strictMapping
                  .get("max_queue_size")
                  .map(it -> it.integer(1, MOST).orElse(MOST))
                  .orElse(2_048L);
          strictMapping.get("max_export_batch_size").ifPresent(it -> it.integer(1, queue));
          strictMapping.get("scheduled_delay_ms").ifPresent(it -> it.integer(100, MOST));
          strictMapping.get("export_timeout_ms").ifPresent(it -> it.integer(100, MOST));
        });
  }

  private static void stdio(YamlValue yamlValue) {
    yamlValue
        .keys("propagate_upstream")
        .flatMap(strictMapping -> strictMapping.get("propagate_upstream"))
        .ifPresent(YamlValue::bool);
  }

  private static Map<String, String> words(String... words) {
    Map<String, String> map = new LinkedHashMap<>();
    List.of(words).forEach(word -> map.put(word, word));
    return map;
  }
}
