package gatebook.command.rules;

import gatebook.events.call.Principal;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A quota of the calls that act on a source: how many may begin in a second and in a day, and how
 * many may run at the same time. A call must have room in every quota that is for it.
 *
 * @param name unique; what is counted under it stays when the rules change
 * @param principals the names of the principals it is for; empty for all
 * @param roles of which a principal must have one; empty for all principals
 * @param tools the names, as the source knows them, that it is for; empty for all
 * @param sources the ids of the sources it is for; empty for all
 * @param isShared whether all principals are counted together, and not each for itself
 * @param rate absent where calls may begin at any rate
 * @param concurrentMax absent where any number may run at the same time
 * @param callsPerDay the daily budget, by days in UTC; absent where there is none
 */
public record CallQuota(
    String name,
    List<Glob> principals,
    Set<String> roles,
    List<Glob> tools,
    Set<String> sources,
    boolean isShared,
    @Nullable Rate rate,
    @Nullable Integer concurrentMax,
    @Nullable Long callsPerDay) {

  /** The most quotas of a rules file: each call is compared with all of them. */
  public static final int QUOTAS_MAX = 100;

  public static final long PER_SECOND_MAX = 1_000_000;
  public static final int CONCURRENT_MOST = 100_000;
  public static final long PER_DAY_MOST = 1_000_000_000;

  public CallQuota {
    principals = List.copyOf(principals);
    roles = Set.copyOf(roles);
    tools = List.copyOf(tools);
    sources = Set.copyOf(sources);
  }

  /**
   * How fast calls may begin.
   *
   * @param burst how many may begin at once
   */
  public record Rate(long perSecond, long burst) {}

  /**
   * Those of the quotas that are for a call of this principal to this source. Their patterns also
   * see names normalised, since they restrict.
   *
   * @param targets as the caller names them; a quota that is for one of them is for the call
   */
  static List<CallQuota> matching(
      List<CallQuota> quotas, Principal principal, Source source, List<String> targets) {
    Name caller = Name.of(principal.name());
    List<Name> names = targets.stream().map(target -> Name.of(source.ownName(target))).toList();
    return quotas.stream()
        .filter(quota ->
            (quota.sources.isEmpty() || quota.sources.contains(source.id()))
                && (quota.roles.isEmpty()
                    || principal.roles().stream().anyMatch(quota.roles::contains))
                && matchesAny(quota.principals, List.of(caller))
                && matchesAny(quota.tools, names))
        .toList();
  }

  private static boolean matchesAny(List<Glob> patterns, List<Name> names) {
    return patterns.isEmpty()
        || names.stream()
            .anyMatch(name ->
                patterns.stream()
                    .anyMatch(pattern -> pattern.matchesEither(name.text, name.normalised)));
  }

  private record Name(String text, String normalised) {
    static Name of(String text) {
      return new Name(text, NormalisedName.of(text));
    }
  }
}
