package gatebook.api.cli;

import picocli.CommandLine.Option;

/** The option {@code --json}, with which a command prints JSON instead of text. */
public final class JsonOption {

  @Option(names = "--json", description = "Prints one JSON document.")
  private boolean json;

  public boolean isGiven() {
    return json;
  }
}
