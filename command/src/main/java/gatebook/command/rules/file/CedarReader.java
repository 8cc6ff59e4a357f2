package gatebook.command.rules.file;

import gatebook.command.policy.Policies;
import gatebook.command.policy.PolicyFile;
import gatebook.command.policy.Reading;
import gatebook.events.RulesActivated.PolicyText;
import gatebook.events.RulesRejected.Mistake;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads {@code cedar} and the files it names. */
final class CedarReader {

  private final Function<String, Content> files;

  CedarReader(Function<String, Content> files) {
    this.files = files;
  }

  /** The texts of the files that could be read. */
  record Found(List<PolicyText> policies, @Nullable PolicyText schema) {
    static final Found NOTHING = new Found(List.of(), null);

    /** The one place where policies are made of texts. */
    Compiled compile() {
      if (policies.isEmpty()) {
        return new Compiled(Policies.NONE, List.of(), List.of());
      }
      return switch (Policies.compile(
          policies.stream().map(Found::file).distinct().toList(),
          schema == null ? null : file(schema))) {
        case Reading.Compiled(var compiled, var warnings) ->
            new Compiled(compiled, List.of(), warnings);
        case Reading.Wrong(var mistakes) -> new Compiled(Policies.NONE, mistakes, List.of());
      };
    }

    private static PolicyFile file(PolicyText text) {
      return new PolicyFile(text.file(), text.text());
    }
  }

  /** Policies, and what is wrong with them or probably not meant. */
  record Compiled(Policies policies, List<Mistake> mistakes, List<Mistake> warnings) {}

  Found read(Value value) {
    return value.keys("policies", "schema").map(this::read).orElse(Found.NOTHING);
  }

  private Found read(Keys keys) {
    List<PolicyText> policies = new ArrayList<>();
    keys.require("policies", "policies: a list of files").ifPresent(it -> policies(it, policies));
    return new Found(policies, keys.get("schema").flatMap(this::file).orElse(null));
  }

  private void policies(Value value, List<PolicyText> policies) {
    List<Value> items = value.items();
    if (value.isEmptyList()) {
      value.mistake("must name at least one file of policies");
    }
    Set<String> seen = new HashSet<>();
    for (Value item : items) {
      Optional<PolicyText> file = file(item);
      if (file.isPresent() && !seen.add(file.get().file())) {
        item.mistake("is there twice: keep one");
      }
      file.ifPresent(policies::add);
    }
  }

  private Optional<PolicyText> file(Value value) {
    return value.label().flatMap(name -> file(value, name));
  }

  private Optional<PolicyText> file(Value value, String name) {
    return switch (files.apply(name)) {
      case Content.Text(var text) -> Optional.of(new PolicyText(name, text));
      case Content.Unreadable(var sentence) -> {
        value.mistake("names a file, beside this one, that " + sentence);
        yield Optional.empty();
      }
    };
  }
}
