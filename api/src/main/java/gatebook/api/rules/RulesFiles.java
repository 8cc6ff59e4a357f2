package gatebook.api.rules;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.command.rules.file.RulesFile;
import gatebook.command.rules.file.RulesFolder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Opens the files that rules are read from: the operator's file, or the built-in sample. */
public final class RulesFiles {

  private static final Set<String> INSPECTORS = Set.of("secrets");
  private static final String SAMPLE = "sample-rules.yaml";
  private static final String FORWARDING_ALL = "wrap-rules.yaml";

  private RulesFiles() {}

  public static RulesFile of(Optional<Path> file, Map<String, String> environment) {
    return file.map(it -> at(it, environment)).orElseGet(RulesFiles::sample);
  }

  public static RulesFile at(Path file, Map<String, String> environment) {
    return RulesFile.at(file, environment, INSPECTORS);
  }

  /** The sample rules, which need no other files. */
  static RulesFile sample() {
    return builtIn(SAMPLE);
  }

  /** Rules that forward every call to one source, a child process. */
  public static RulesFile forwardingAll() {
    return builtIn(FORWARDING_ALL);
  }

  /** The same rules with a comment line at the end of the recorded text. */
  public static RulesFile withComment(RulesFile rules, String comment) {
    byte[] line = "\n# %s\n".formatted(comment).getBytes(UTF_8);
    RulesFolder noted =
        name -> {
          InputStream file = rules.folder().open(name);
          return name.equals(rules.name())
              ? new SequenceInputStream(file, new ByteArrayInputStream(line))
              : file;
        };
    return new RulesFile(rules.name(), noted, rules.environment(), rules.inspectors());
  }

  private static RulesFile builtIn(String name) {
    RulesFolder beside = RulesFiles::open;
    return new RulesFile(name, beside, Map.of(), INSPECTORS);
  }

  private static InputStream open(String name) throws IOException {
    InputStream resource = RulesFiles.class.getResourceAsStream(name);
    if (resource == null) {
      throw new NoSuchFileException(name);
    }
    return resource;
  }
}
