package gatebook.api.cli.replay;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --projection}: the name of a view. */
final class ProjectionOption {

  @Option(
      names = "--projection",
      paramLabel = "NAME",
      description = "The view, as gatebook projections shows it.")
  private @Nullable String projection;

  Optional<String> name() {
    return Optional.ofNullable(projection);
  }

  /** Adds the given name to a method's params. */
  void addTo(ObjectNode params) {
    if (projection != null) {
      params.put("projection", projection);
    }
  }
}
