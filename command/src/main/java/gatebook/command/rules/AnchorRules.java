package gatebook.command.rules;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;

/**
 * An anchor: a place outside the journal to which its checkpoints are sent.
 *
 * @param name unique among the anchors
 * @param everyMillis how often the newest checkpoint is sent
 */
public record AnchorRules(String name, Place place, long everyMillis) {

  /** Where the checkpoints go. */
  public sealed interface Place {}

  /** A directory that gets a file for each checkpoint. */
  public record Directory(Path path) implements Place {}

  /** A file to whose end each checkpoint is written. */
  public record AppendedFile(Path path) implements Place {}

  /**
   * An address to which each checkpoint is posted.
   *
   * @param headers of the requests; their values are secrets
   * @param tls for an {@code https} URL
   */
  public record Endpoint(URI url, Map<String, String> headers, ClientTlsFiles tls)
      implements Place {
    public Endpoint {
      headers = Map.copyOf(headers);
    }
  }
}
