package gatebook.api.rpc;

import static gatebook.api.rpc.JsonStrings.quoted;

/** Rewrites the name in a call, and leaves every other character as it was sent. */
public final class NameRewrite {

  private NameRewrite() {}

  /**
   * The same object with another string as a member, if it has that member and it is a string.
   *
   * @param json an object that was part of a message
   */
  public static String renamed(String json, String member, String name) {
    ObjectMembers members = ObjectMembers.of(json);
    return members.text(member).isPresent() ? members.replace(json, member, quoted(name)) : json;
  }
}
