package gatebook.api.cli.option;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of every command that runs a node: its configuration and its data. */
public final class NodeOptions {

  private static final Path CONFIG_HERE = Path.of("gatebook.yaml");

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The configuration file (else ./gatebook.yaml if there is one).")
  private @Nullable Path config;

  @Mixin private final DataOption dataOption;

  public NodeOptions(Map<String, String> environment) {
    this.dataOption = new DataOption(environment);
  }

  /** The configuration file; empty when none is given and ./gatebook.yaml does not exist. */
  public Optional<Path> config() {
    return Optional.ofNullable(config).or(() -> Optional.of(CONFIG_HERE).filter(Files::exists));
  }

  public Path data() {
    return dataOption.directory();
  }
}
