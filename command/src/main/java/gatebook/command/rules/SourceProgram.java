package gatebook.command.rules;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A program that is started here and answers calls on its standard streams.
 *
 * @param command its name or path, then its arguments, as they are: no shell reads them
 * @param environment what it gets beside {@link #INHERITED}; the values are secrets
 * @param directory where it works; absent for where this process works
 */
public record SourceProgram(
    List<String> command, Map<String, String> environment, @Nullable Path directory) {

  /**
   * The variables of this process that programs get unless they are given others; beside them
   * {@code LC_*}.
   */
  public static final List<String> INHERITED = List.of("PATH", "HOME", "LANG", "LANGUAGE");

  public SourceProgram {
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
  }
}
