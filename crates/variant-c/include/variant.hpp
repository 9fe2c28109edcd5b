// variant.hpp: variant.h for C++17. Objects free their handles, and failures are exceptions.
//
// A variant::value points into the bytes that it was read from, as variant_value does: the bytes, or the variant::file, must
// outlive it. variant.h describes each function.
#ifndef VARIANT_HPP
#define VARIANT_HPP

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <variant.h>

namespace variant {

// A failure: its message, code, offset, frame and path.
class error : public std::runtime_error {
public:
    explicit error(const variant_error &details) : std::runtime_error(details.message), details_(details) {}
    variant_code code() const noexcept { return details_.code; }
    std::uint64_t offset() const noexcept { return details_.offset; }
    std::uint64_t frame() const noexcept { return details_.frame; }
    const char *path() const noexcept { return details_.path; }

private:
    variant_error details_;
};

namespace detail {

// Calls a function whose last argument receives the details of a failure. Returns the code. Throws an error if the code
// is neither VARIANT_OK nor `accepted`.
template <typename Function, typename... Arguments>
variant_code attempt(variant_code accepted, Function function, Arguments &&...arguments) {
    variant_error details = {};
    variant_code code = function(std::forward<Arguments>(arguments)..., &details);
    if (code != VARIANT_OK && code != accepted) throw error(details);
    return code;
}

template <typename Function, typename... Arguments>
void call(Function function, Arguments &&...arguments) {
    attempt(VARIANT_OK, function, std::forward<Arguments>(arguments)...);
}

} // namespace detail

// Options whose members other than the dialect have the default. variant_options describes the members.
inline variant_options options(std::uint8_t dialect = VARIANT_DIALECT_DETECT) {
    variant_options options = {};
    options.size = sizeof options;
    options.dialect = dialect;
    return options;
}

// Options for untrusted bytes.
inline variant_options server_options(std::uint8_t dialect) {
    variant_options result = options(dialect);
    result.limits = VARIANT_LIMITS_SERVER;
    return result;
}

// Bytes that the library allocated.
class bytes {
public:
    bytes() = default;
    bytes(bytes &&other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
    bytes &operator=(bytes &&other) noexcept { return std::swap(bytes_, other.bytes_), *this; }
    ~bytes() { variant_bytes_free(&bytes_); }
    const std::uint8_t *data() const noexcept { return bytes_.data; }
    std::size_t size() const noexcept { return bytes_.len; }
    std::string_view text() const noexcept { return {reinterpret_cast<const char *>(bytes_.data), bytes_.len}; }
    variant_bytes *out() noexcept { return variant_bytes_free(&bytes_), &bytes_; }

private:
    variant_bytes bytes_ = {};
};

class items;

// A value in the bytes of a packet or a file.
class value {
public:
    value() = default;
    value(const variant_value &raw) : raw_(raw) {}
    const variant_value &raw() const noexcept { return raw_; }
    std::uint8_t kind() const noexcept { return raw_.kind; }
    const char *kind_name() const noexcept { return variant_kind_name(raw_.kind); }
    std::uint64_t offset() const noexcept { return raw_.offset; }

    value at(const std::string &path) const { return read<variant_value>(variant_at, path.c_str()); }
    value operator[](const std::string &key) const { return read<variant_value>(variant_get, key.c_str()); }
    value operator[](std::size_t index) const { return read<variant_value>(variant_index, index); }
    // The value of a key; nothing if the container does not have the key.
    std::optional<value> find(const std::string &key) const {
        variant_value found;
        variant_code code = detail::attempt(VARIANT_ERROR_NOT_FOUND, variant_get, raw_, key.c_str(), &found);
        return code == VARIANT_OK ? std::optional<value>(found) : std::nullopt;
    }

    bool as_bool() const { return read<bool>(variant_as_bool); }
    std::int64_t as_int() const { return read<std::int64_t>(variant_as_int); }
    double as_double() const { return read<double>(variant_as_double); }
    std::uint64_t as_id() const { return read<std::uint64_t>(variant_as_id); }
    std::size_t count() const { return read<std::size_t>(variant_count); }
    variant_packed packed() const { return read<variant_packed>(variant_packed_of); }
    std::string_view as_text() const {
        const char *data;
        std::size_t len;
        detail::call(variant_as_text, raw_, &data, &len);
        return {data, len};
    }
    std::vector<double> as_doubles() const { return numbers<double>(variant_as_doubles); }
    std::vector<float> as_floats() const { return numbers<float>(variant_as_floats); }
    std::vector<std::int64_t> as_ints() const { return numbers<std::int64_t>(variant_as_ints); }

    bytes to_json(std::uint8_t form = VARIANT_JSON_PLAIN, bool is_pretty = false) const {
        bytes json;
        detail::call(variant_to_json, raw_, form, is_pretty, json.out());
        return json;
    }
    bytes to_text() const {
        bytes text;
        detail::call(variant_to_text, raw_, text.out());
        return text;
    }

    // The items, as in `for (const variant_item &item : value.items())`.
    inline class items items() const;

private:
    template <typename Result, typename Function, typename... Arguments>
    Result read(Function function, Arguments... arguments) const {
        Result result;
        detail::call(function, raw_, arguments..., &result);
        return result;
    }
    template <typename Number, typename Function>
    std::vector<Number> numbers(Function function) const {
        std::size_t count;
        detail::call(function, raw_, nullptr, std::size_t(0), &count);
        std::vector<Number> numbers(count);
        detail::call(function, raw_, numbers.data(), count, &count);
        return numbers;
    }

    variant_value raw_ = {};
};

// The elements, pairs or properties of a container.
class items {
public:
    class iterator {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = variant_item;
        using difference_type = std::ptrdiff_t;
        using pointer = const variant_item *;
        using reference = const variant_item &;

        iterator() = default;
        explicit iterator(const variant_items &rest) : rest_(rest), has_item_(true) { ++*this; }
        reference operator*() const noexcept { return item_; }
        pointer operator->() const noexcept { return &item_; }
        iterator &operator++() {
            has_item_ = detail::attempt(VARIANT_END, variant_next, &rest_, &item_) == VARIANT_OK;
            return *this;
        }
        void operator++(int) { ++*this; }
        // An iterator is compared only with the end.
        bool operator==(const iterator &other) const noexcept { return has_item_ == other.has_item_; }
        bool operator!=(const iterator &other) const noexcept { return !(*this == other); }

    private:
        variant_items rest_ = {};
        variant_item item_ = {};
        bool has_item_ = false;
    };

    explicit items(const value &container) { detail::call(variant_items_of, container.raw(), &items_); }
    iterator begin() const { return iterator(items_); }
    iterator end() const { return iterator(); }

private:
    variant_items items_ = {};
};

inline items value::items() const { return variant::items(*this); }

// The text of a key, or the name of a property.
inline std::string_view name_of(const variant_item &item) { return {item.name.data, item.name.len}; }

// Validates a packet and returns its value.
inline value read(const std::uint8_t *data, std::size_t len, const variant_options &options) {
    variant_value root;
    detail::call(variant_read, data, len, &options, &root, static_cast<variant_summary *>(nullptr));
    return root;
}

inline value read(const bytes &packet, const variant_options &options) {
    return read(packet.data(), packet.size(), options);
}

// A value that a path selects: its frame, from 1, and its path in the frame.
struct match {
    variant::value value;
    std::uint64_t frame;
    std::string path;
};

// A result, and a report in JSON objects, one a line.
struct reported {
    bytes result;
    bytes report;
};

class edit;
class rows;

// A save, a project.binary or another file.
class file {
public:
    explicit file(const std::string &path, const variant_options &options = variant::options()) {
        variant_file *handle;
        detail::call(variant_file_open, path.c_str(), &options, &handle);
        handle_.reset(handle);
    }
    // The bytes must outlive the file.
    file(const std::uint8_t *data, std::size_t len, const variant_options &options = variant::options()) {
        variant_file *handle;
        detail::call(variant_file_of_bytes, data, len, &options, &handle);
        handle_.reset(handle);
    }
    std::uint8_t dialect() const noexcept { return variant_file_dialect(handle_.get()); }
    std::uint8_t framing() const noexcept { return variant_file_framing(handle_.get()); }
    bool is_certain() const noexcept { return variant_file_is_certain(handle_.get()); }
    std::uint64_t count() const {
        std::uint64_t count;
        detail::call(variant_file_count, handle_.get(), &count);
        return count;
    }
    value at(const std::string &path) const {
        variant_value found;
        detail::call(variant_file_at, handle_.get(), path.c_str(), &found);
        return found;
    }
    // Value `number`, from 1.
    value operator[](std::uint64_t number) const {
        variant_value found;
        detail::call(variant_file_value, handle_.get(), number, &found);
        return found;
    }
    variant_summary validate() const {
        variant_summary summary;
        detail::call(variant_file_validate, handle_.get(), &summary);
        return summary;
    }
    bytes wrap(const std::uint8_t *plain, std::size_t len) const {
        bytes wrapped;
        detail::call(variant_file_wrap, handle_.get(), plain, len, wrapped.out());
        return wrapped;
    }
    // The plain bytes, which are valid as long as the file is.
    std::string_view unwrap() const {
        const std::uint8_t *data;
        std::size_t len;
        detail::call(variant_file_bytes, handle_.get(), &data, &len);
        return {reinterpret_cast<const char *>(data), len};
    }
    std::vector<match> select(const std::string &path) const {
        variant_selection *selection;
        detail::call(variant_file_select, handle_.get(), path.c_str(), &selection);
        std::unique_ptr<variant_selection, decltype(&variant_selection_free)> all(selection, variant_selection_free);
        std::vector<match> matches;
        variant_match found;
        while (detail::attempt(VARIANT_END, variant_selection_next, selection, &found) == VARIANT_OK) {
            matches.push_back({found.value, found.frame, {found.path.data, found.path.len}});
        }
        return matches;
    }
    // The file must outlive the rows. Each path is a column.
    inline class rows rows(const std::vector<std::string> &paths) const;
    inline class edit edit() const;
    // Throws an error if the conversion would change a value.
    bytes convert(std::uint8_t dialect) const {
        bytes converted;
        detail::call(variant_file_convert, handle_.get(), dialect, converted.out(), static_cast<variant_bytes *>(nullptr));
        return converted;
    }
    // The report lists the values that the conversion changes.
    reported convert_lossy(std::uint8_t dialect) const { return report(variant_file_convert, dialect); }
    // The report lists the changes. Without a base the values of the other file are added.
    reported merge(const file &other) const {
        return report(variant_file_merge, other.get(), static_cast<const variant_file *>(nullptr), VARIANT_PREFER_NONE);
    }
    // With a base, only the changes that lead from it to the other file are made.
    reported merge(const file &other, const file &base, std::uint8_t prefer = VARIANT_PREFER_NONE) const {
        return report(variant_file_merge, other.get(), base.get(), prefer);
    }
    reported migrate(std::string_view steps) const { return report(variant_file_migrate, steps.data(), steps.size()); }
    // The report lists the lost bytes.
    reported salvage() const { return report(variant_file_salvage); }
    bytes check(std::string_view schema) const { return lines(variant_file_check, schema.data(), schema.size()); }
    bytes schema() const { return lines(variant_file_schema); }
    bytes diff(const file &newer, std::uint64_t most = UINT64_MAX) const { return lines(variant_file_diff, newer.get(), most); }
    const variant_file *get() const noexcept { return handle_.get(); }

private:
    struct free {
        void operator()(variant_file *file) const noexcept { variant_file_free(file); }
    };
    template <typename Function, typename... Arguments>
    bytes lines(Function function, Arguments... arguments) const {
        bytes lines;
        detail::call(function, handle_.get(), arguments..., lines.out());
        return lines;
    }
    template <typename Function, typename... Arguments>
    reported report(Function function, Arguments... arguments) const {
        reported both;
        detail::call(function, handle_.get(), arguments..., both.result.out(), both.report.out());
        return both;
    }
    std::unique_ptr<variant_file, free> handle_;
};

// The values of several paths, row by row.
class rows {
public:
    rows(const file &file, const std::vector<std::string> &paths) : row_(paths.size()) {
        std::vector<const char *> texts;
        for (const std::string &path : paths) texts.push_back(path.c_str());
        variant_rows *handle;
        detail::call(variant_file_rows, file.get(), texts.data(), texts.size(), &handle);
        handle_.reset(handle);
    }
    // Reads the next row. Returns false after the last row.
    bool next() {
        return detail::attempt(VARIANT_END, variant_rows_next, handle_.get(), row_.data(), row_.size(), &frame_) == VARIANT_OK;
    }
    std::uint64_t frame() const noexcept { return frame_; }
    // The value of a column; nothing if the row lacks it.
    std::optional<value> operator[](std::size_t column) const {
        return row_[column].bytes ? std::optional<value>(row_[column]) : std::nullopt;
    }

private:
    struct free {
        void operator()(variant_rows *rows) const noexcept { variant_rows_free(rows); }
    };
    std::unique_ptr<variant_rows, free> handle_;
    std::vector<variant_value> row_;
    std::uint64_t frame_ = 0;
};

// Changes of a file, with undo. The file may be destroyed before the edit.
class edit {
public:
    explicit edit(const file &file) {
        variant_edit *handle;
        detail::call(variant_file_edit, file.get(), &handle);
        handle_.reset(handle);
    }
    edit &set(const std::string &path, const std::string &literal) { return make(variant_edit_set, path.c_str(), literal.c_str()); }
    edit &set(const std::string &path, const value &value) { return make(variant_edit_set_value, path.c_str(), value.raw()); }
    edit &insert(const std::string &path, const std::string &literal) {
        return make(variant_edit_insert, path.c_str(), literal.c_str());
    }
    edit &insert(const std::string &path, const value &value) {
        return make(variant_edit_insert_value, path.c_str(), value.raw());
    }
    edit &remove(const std::string &path) { return make(variant_edit_delete, path.c_str()); }
    edit &rename_key(const std::string &path, const std::string &key) {
        return make(variant_edit_rename_key, path.c_str(), key.c_str());
    }
    // Undo and redo return false if there is no change to undo or to redo.
    bool undo() { return step(variant_edit_undo); }
    bool redo() { return step(variant_edit_redo); }
    // The changes that were not undone, as JSON objects, one a line.
    bytes changes() const { return give(variant_edit_changes); }
    // The whole file with the changes. More changes may follow.
    bytes finish() const { return give(variant_edit_finish); }

private:
    struct free {
        void operator()(variant_edit *edit) const noexcept { variant_edit_free(edit); }
    };
    template <typename Function, typename... Arguments>
    edit &make(Function function, Arguments... arguments) {
        detail::call(function, handle_.get(), arguments..., static_cast<variant_bytes *>(nullptr));
        return *this;
    }
    template <typename Function>
    bool step(Function function) {
        return detail::attempt(VARIANT_END, function, handle_.get(), static_cast<variant_bytes *>(nullptr)) == VARIANT_OK;
    }
    template <typename Function>
    bytes give(Function function) const {
        bytes given;
        detail::call(function, handle_.get(), given.out());
        return given;
    }
    std::unique_ptr<variant_edit, free> handle_;
};

inline rows file::rows(const std::vector<std::string> &paths) const { return variant::rows(*this, paths); }
inline edit file::edit() const { return variant::edit(*this); }

// Writes a file: the bytes are written to a new file, which then replaces the old file.
inline void save(const std::string &path, const bytes &bytes) {
    detail::call(variant_save, path.c_str(), bytes.data(), bytes.size());
}

// Writes values. A failure is thrown by finish().
class writer {
public:
    explicit writer(const variant_options &options) {
        variant_writer *handle;
        detail::call(variant_writer_new, &options, &handle);
        handle_.reset(handle);
    }
    explicit writer(std::uint8_t dialect) : writer(variant::options(dialect)) {}

    writer &null() { return variant_write_null(get()), *this; }
    writer &boolean(bool value) { return variant_write_bool(get(), value), *this; }
    writer &integer(std::int64_t value) { return variant_write_int(get(), value), *this; }
    writer &number(double value) { return variant_write_double(get(), value), *this; }
    writer &text(std::string_view text) { return variant_write_text(get(), text.data(), text.size()), *this; }
    writer &string_name(std::string_view text) { return variant_write_string_name(get(), text.data(), text.size()), *this; }
    writer &key(const std::string &key) { return variant_write_key(get(), key.c_str()), *this; }
    writer &packed(const std::uint8_t *data, std::size_t len) { return variant_write_bytes(get(), data, len), *this; }
    writer &floats(std::uint8_t kind, const float *data, std::size_t count) {
        return variant_write_floats(get(), kind, data, count), *this;
    }
    writer &doubles(std::uint8_t kind, const double *data, std::size_t count) {
        return variant_write_doubles(get(), kind, data, count), *this;
    }
    writer &int32s(std::uint8_t kind, const std::int32_t *data, std::size_t count) {
        return variant_write_int32s(get(), kind, data, count), *this;
    }
    writer &literal(const std::string &source) { return variant_write_literal(get(), source.c_str()), *this; }
    writer &json(std::string_view text, std::uint8_t form = VARIANT_JSON_PLAIN) {
        return variant_write_json(get(), text.data(), text.size(), form), *this;
    }
    // Copies a value. A value of another dialect is refused unless its conversion changes nothing.
    writer &copy(const value &value) { return variant_write_value(get(), value.raw(), nullptr), *this; }
    // Converts a value; `losses` has a line for each change.
    writer &convert(const value &value, bytes &losses) {
        return variant_write_value(get(), value.raw(), losses.out()), *this;
    }
    writer &begin_array() { return variant_begin_array(get()), *this; }
    writer &begin_dictionary() { return variant_begin_dictionary(get()), *this; }
    writer &begin_object(const std::string &type) { return variant_begin_object(get(), type.c_str()), *this; }
    writer &property(const std::string &name) { return variant_write_property(get(), name.c_str()), *this; }
    writer &end() { return variant_end(get()), *this; }
    // Ends the value. The writer is then ready for the next value, also after a failure.
    bytes finish() {
        bytes written;
        detail::call(variant_writer_finish, get(), written.out());
        return written;
    }

private:
    struct free {
        void operator()(variant_writer *writer) const noexcept { variant_writer_free(writer); }
    };
    variant_writer *get() const noexcept { return handle_.get(); }
    std::unique_ptr<variant_writer, free> handle_;
};

} // namespace variant

#endif // VARIANT_HPP
