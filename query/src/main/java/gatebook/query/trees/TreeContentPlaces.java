package gatebook.query.trees;

/**
 * The positions of the events that have the content of a tree, which its view does not hold; zero
 * where there is none.
 *
 * @param name of the event with the name of the root task
 * @param webhook of the event with the URL of the webhook
 * @param failure of the event that says why the webhook failed last
 */
public record TreeContentPlaces(long name, long webhook, long failure) {
  static final TreeContentPlaces NONE = new TreeContentPlaces(0, 0, 0);

  TreeContentPlaces withName(long position) {
    return new TreeContentPlaces(position, webhook, failure);
  }

  TreeContentPlaces withWebhook(long position) {
    return new TreeContentPlaces(name, position, 0);
  }

  TreeContentPlaces withFailure(long position) {
    return new TreeContentPlaces(name, webhook, position);
  }
}
