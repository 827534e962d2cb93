"""The tests that fake-gcs-server fails, and what it does instead. Google's documentation says what the tests say."""

UNSIGNED = "it reads no signature: every URL is as good as a signed one"
PLACES = "it doesn't compare a chunk's place with what has arrived, and a malformed place ends the upload"
HASHES = "it doesn't compare hashes"
CONDITIONS = "the only conditions that it knows are those on the generation that an upload replaces"
PATHS = "its files have the objects' names, so this one would be outside of its folder, or another file"

# A key is a test, or one of its cases.
DIFFERENCES = {
    # Buckets
    "test_a_bucket_with_objects_stays": "it answers 412, not 409",
    "test_an_invalid_name_of_a_bucket[short]": "it takes a name of two characters",
    "test_an_invalid_name_of_a_bucket[long]": "it takes a name of 64 characters",
    "test_an_invalid_name_of_a_bucket[address]": "it takes an address as a name",
    "test_the_words_of_a_missing_object": "its error is `Not Found`, without the object's name and the reason",
    # Uploads
    "test_an_upload_without_a_name_or_kind[resumable]": "metadata that isn't JSON is an error 500",
    "test_recovery_after_a_cut": "the question how much has arrived ends the upload",
    "test_the_state_of_a_resumable_upload": "the question how much has arrived ends the upload",
    "test_a_chunk_that_is_sent_twice": "it appends the chunk again",
    "test_a_place_that_does_not_fit": PLACES,
    "test_an_announced_size_that_is_wrong": "it ignores the announced size",
    "test_a_cancelled_upload": "a cancelled upload goes on",
    "test_a_wrong_hash": HASHES,
    "test_a_wrong_hash_of_a_resumable_upload": HASHES,
    "test_a_wrong_hash_in_the_last_chunk": HASHES,
    "test_a_hash_that_is_malformed": HASHES,
    # Downloads
    "test_a_range_behind_the_end": "the answer doesn't say how long the object is",
    "test_further_headers_of_a_download": "the headers of the metageneration and the storage class are missing",
    # Metadata and copies
    "test_a_patch_keeps_the_generation": "a patch makes a new generation, and metadata has no metageneration",
    "test_a_patch_removes_what_is_null": "a null is an empty text",
    "test_an_update_replaces": "what an update doesn't name stays",
    "test_partial_responses": "it ignores `fields`",
    "test_a_rewrite_with_metadata": "the copy also has its source's metadata",
    "test_the_metadata_of_a_composition": "it doesn't count components, and makes an MD5 hash",
    "test_a_composition_of_none_or_too_many[0]": "it makes an empty object of no sources",
    "test_a_composition_with_a_missing_part": "it answers 500",
    # Conditions
    "test_other_preconditions_of_an_upload": CONDITIONS,
    "test_the_form_of_a_failed_precondition": CONDITIONS,
    "test_preconditions_of_a_resumable_upload": "conditions are checked when the upload starts, not when it ends",
    "test_preconditions_of_a_read": CONDITIONS,
    "test_a_condition_that_is_no_number": CONDITIONS,
    "test_preconditions_of_a_patch": CONDITIONS,
    "test_preconditions_of_a_copy": CONDITIONS,
    "test_preconditions_of_a_composition": CONDITIONS,
    "test_preconditions_of_a_delete": CONDITIONS,
    "test_the_last_generation": "a generation is the time before an upload waits for others, so an older one may stay",
    "test_a_batch": "it has no batches",
    "test_a_batch_with_an_error": "it has no batches",
    # Lists
    "test_a_delimiter_of_several_characters": "a prefix has only the delimiter's first character",
    "test_a_pattern_of_names": "it ignores `matchGlob`",
    "test_an_object_that_stands_for_a_folder": "it makes a folder, which no list has",
    "test_pages_with_prefixes[1]": "prefixes don't count as results",
    "test_pages_with_prefixes[2]": "prefixes don't count as results",
    "test_a_malformed_page[maxResults=-1]": "it closes the connection",
    "test_a_malformed_page[pageToken=%00x!]": "it takes any token",
    # Names
    "test_a_name_like_a_path": PATHS,
    "test_a_long_name": "its files have the objects' names, and a file's name has at most 255 bytes",
    "test_an_object_with_the_name_of_a_folder": "its files have the objects' names, and a file can't be a folder",
    "test_an_invalid_name[empty]": PATHS,
    "test_an_invalid_name[dot]": PATHS,
    "test_an_invalid_name[dots]": PATHS,
    "test_an_invalid_name": "it takes any name that the file system takes",
    "test_a_name_that_is_not_utf_8": "it replaces the bytes with U+FFFD",
    # Signed URLs
    "test_the_headers_that_the_url_asks_for": "it ignores the headers that a URL asks for",
    "test_a_missing_object_with_a_signed_url": "the error has no code",
    "test_an_upload_with_a_signed_url": UNSIGNED,
    "test_an_upload_with_signed_headers": UNSIGNED,
    "test_a_resumable_upload_with_a_signed_url": "the object has no name",
    "test_a_deletion": "it answers 200, not 204",
    "test_another_method": UNSIGNED,
    "test_an_expired_url": UNSIGNED,
    "test_a_url_of_the_future": UNSIGNED,
    "test_a_changed_url": UNSIGNED,
    "test_a_url_without_a_part": UNSIGNED,
    "test_a_url_of_another_key": UNSIGNED,
}
# The tests that fake-gcs-server isn't asked: it would write outside of its folder, or answer differently each time.
NOT_RUN = {
    "test_a_name_like_a_path", "test_an_invalid_name[empty]", "test_an_invalid_name[dot]", "test_an_invalid_name[dots]",
    "test_the_last_generation",
}
