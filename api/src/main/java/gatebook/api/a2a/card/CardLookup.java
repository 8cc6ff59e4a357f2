package gatebook.api.a2a.card;

/** The outcome of looking for the card of an agent. */
public sealed interface CardLookup {
  record Served(ServedCard card) implements CardLookup {}

  /** The card cannot be had now; the status of HTTP says why. */
  record Unreachable(int httpStatus) implements CardLookup {}

  /** There is no such agent, or no such version of it. */
  record Unknown() implements CardLookup {}
}
