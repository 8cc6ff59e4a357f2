package gatebook.command.rules;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The program of a source, started as a child process that answers calls on its standard streams.
 *
 * @param command its name or path, then its arguments, taken literally: no shell reads them
 * @param environment variables in addition to {@link #INHERITED}; the values are secrets
 * @param directory its working directory; null for that of this process
 */
public record SourceProgram(
    List<String> command, Map<String, String> environment, @Nullable Path directory) {

  /**
   * The variables of this process that programs inherit unless overridden, in addition to {@code
   * LC_*}.
   */
  public static final List<String> INHERITED = List.of("PATH", "HOME", "LANG", "LANGUAGE");

  public SourceProgram {
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
  }
}
