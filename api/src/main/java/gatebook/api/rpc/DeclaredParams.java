package gatebook.api.rpc;

import gatebook.command.redact.Scrubber;
import gatebook.events.call.TextPrefix;
import gatebook.events.fault.Problem;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The declared params of a method, which are given by name. */
public record DeclaredParams(List<RequestMember> members) {

  /** How much of an unknown name is quoted back. */
  private static final int NAME_CHARS_MAX = 64;

  public DeclaredParams {
    members = List.copyOf(members);
  }

  public static DeclaredParams of(RequestMember... members) {
    return new DeclaredParams(List.of(members));
  }

  /** Only the members with these names. */
  public DeclaredParams only(String... names) {
    return new DeclaredParams(
        members.stream().filter(it -> List.of(names).contains(it.name())).toList());
  }

  /**
   * What is wrong with params; those that are not declared are accepted.
   *
   * @param params the text of an object or array; absent where there was none
   * @param sent the members of the params
   */
  public Optional<Problem> wrong(@Nullable String params, ObjectMembers sent) {
    return notByName(params).or(() -> RequestMember.firstOf(members, "", sent));
  }

  /** What is wrong with params, of which those that are not declared are the first. */
  public Optional<Problem> wrongOrUnknown(@Nullable String params, ObjectMembers sent) {
    return notByName(params)
        .or(() -> unknown(sent, "no other than "))
        .or(() -> RequestMember.firstOf(members, "", sent));
  }

  /** What is wrong with params that are no object. */
  public static Optional<Problem> notByName(@Nullable String params) {
    return params == null || params.startsWith("{")
        ? Optional.empty()
        : Optional.of(
            new Problem("params", null, "an object", JsonType.quotedOf(params), List.of()));
  }

  /**
   * The first member that is not declared, with its name scrubbed and cut.
   *
   * @param others what is expected of methods that take some, before the names
   */
  public Optional<Problem> unknown(ObjectMembers sent, String others) {
    List<String> names = names();
    return sent.names().stream()
        .filter(name -> !names.contains(name))
        .findFirst()
        .map(name ->
            new Problem(
                shortened(name),
                null,
                names.isEmpty() ? "no params" : others + String.join(", ", names),
                JsonType.quotedOf(sent.json(name).orElseThrow()),
                List.of()));
  }

  public List<String> names() {
    return members.stream().map(RequestMember::name).toList();
  }

  /** Scrubbed before it is cut: half a secret would not be recognised as one. */
  private static String shortened(String name) {
    return TextPrefix.of(Scrubber.NAMES.scrub(name), NAME_CHARS_MAX);
  }
}
