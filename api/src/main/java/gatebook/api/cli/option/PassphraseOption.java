package gatebook.api.cli.option;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The passphrase of a backup of content keys: from the environment, from a file, or typed on the
 * console. It is no argument, since others see those.
 */
public final class PassphraseOption {

  /** The variable of the environment that may have the passphrase. */
  public static final String VARIABLE = "GATEBOOK_BACKUP_PASSPHRASE";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create(); // picocli puts the command's own here

  @Option(
      names = "--passphrase-file",
      paramLabel = "FILE",
      description =
          "A file whose first line is the passphrase (else $"
              + VARIABLE
              + ", else it is asked for on the console).")
  private @Nullable Path file;

  private final Map<String, String> environment;
  private final Function<String, char @Nullable []> console;

  public PassphraseOption(Map<String, String> environment) {
    this(environment, PassphraseOption::ask);
  }

  PassphraseOption(Map<String, String> environment, Function<String, char @Nullable []> console) {
    this.environment = environment;
    this.console = console;
  }

  /** The passphrase of a backup that exists. */
  public String existing() {
    String given = given();
    return given == null ? typed("passphrase: ") : given;
  }

  /** The passphrase of a new backup; one that is typed has to be typed twice. */
  public String chosen(int charsMin) {
    String given = given();
    String passphrase = given == null ? typed("passphrase of the backup: ") : given;
    if (passphrase.codePointCount(0, passphrase.length()) < charsMin) {
      throw wrong("the passphrase must have at least %d characters".formatted(charsMin));
    }
    if (given == null && !typed("the same again: ").equals(passphrase)) {
      throw wrong("the passphrase was typed in two ways: nothing was done");
    }
    return passphrase;
  }

  private @Nullable String given() {
    if (file == null) {
      return environment.get(VARIABLE);
    }
    try {
      return Files.readString(file, UTF_8).lines().findFirst().orElse("");
    } catch (IOException _) {
      throw wrong("cannot read the passphrase in %s".formatted(file));
    }
  }

  private String typed(String prompt) {
    char[] typed = console.apply(prompt);
    if (typed == null) {
      throw wrong(
          "give the passphrase in %s, or in a file with --passphrase-file".formatted(VARIABLE));
    }
    String passphrase = new String(typed);
    Arrays.fill(typed, ' ');
    return passphrase;
  }

  @SuppressWarnings("SystemConsoleNull") // a console that is no terminal is null by default
  private static char @Nullable [] ask(String prompt) {
    Console terminal = System.console();
    return terminal == null || !terminal.isTerminal() ? null : terminal.readPassword("%s", prompt);
  }

  private ParameterException wrong(String sentence) {
    return new ParameterException(command.commandLine(), sentence);
  }
}
