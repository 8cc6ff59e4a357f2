package gatebook.api.node;

import gatebook.command.redact.Scrubber;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.command.rules.SourceProgram;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The secrets with which sources are configured. */
final class SourceSecrets {

  private SourceSecrets() {}

  /** A scrubber that also removes the sources' configured headers and environment values. */
  static Scrubber scrubber(Rules rules) {
    List<String> secretValues =
        rules.sources().stream()
            .flatMap(source -> Stream.of(source.headers(), environment(source)))
            .flatMap(secrets -> secrets.values().stream())
            .toList();
    return new Scrubber(rules.redaction(), secretValues, System.getenv());
  }

  private static Map<String, String> environment(Source source) {
    SourceProgram sourceProgram = source.program();
    return sourceProgram == null ? Map.of() : sourceProgram.environment();
  }
}
