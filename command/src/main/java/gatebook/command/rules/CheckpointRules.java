package gatebook.command.rules;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Who gets checkpoints besides the journal.
 *
 * @param timestamp the address of the authority that timestamps the checkpoint of a case file;
 *     empty when none does
 */
public record CheckpointRules(List<AnchorRules> anchors, Optional<URI> timestamp) {
  public static final CheckpointRules NONE = new CheckpointRules(List.of(), Optional.empty());

  public CheckpointRules {
    anchors = List.copyOf(anchors);
  }

  /** The values of the headers that anchors get, and the passwords of their certificates. */
  Stream<String> secrets() {
    return anchors.stream()
        .flatMap(anchor ->
            anchor.place() instanceof AnchorRules.Endpoint(_, var headers, var tls)
                ? Stream.concat(headers.values().stream(), tls.password().stream())
                : Stream.empty());
  }
}
