//! The course of a training run as a picture.

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 360.0;
const EDGE: f64 = 48.0;

/// One line of the picture: a value from 0 to 1 at each step.
pub(crate) struct Line<'a> {
    pub(crate) color: &'a str,
    /// As in SVG; `none` for an unbroken line.
    pub(crate) dash: &'a str,
    pub(crate) points: Vec<(usize, f64)>,
}

/// Draws lines over the steps; `about` says what is seen to those who do not see it, `legend` which
/// line is which.
pub(crate) fn picture(lines: &[Line], about: &str, legend: &str) -> String {
    let steps = lines.iter().flat_map(|l| l.points.iter().map(|p| p.0));
    let last = steps.max().unwrap_or(1).max(1) as f64;
    let draw = |line: &Line| {
        let places: Vec<String> = line
            .points
            .iter()
            .map(|(step, value)| {
                let x = EDGE + (WIDTH - 2.0 * EDGE) * *step as f64 / last;
                let y = HEIGHT - EDGE - (HEIGHT - 2.0 * EDGE) * value.clamp(0.0, 1.0);
                format!("{x:.1},{y:.1}")
            })
            .collect();
        format!(
            "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\" points=\"{}\"/>\n",
            line.color,
            line.dash,
            places.join(" ")
        )
    };
    let label = |x: f64, y: f64, text: &str| {
        format!(
            "<text x=\"{x}\" y=\"{y}\" font-family=\"sans-serif\" font-size=\"12\">{text}</text>\n"
        )
    };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{about}\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    out += &format!(
        "<path d=\"M{EDGE} {EDGE}V{}H{}\" fill=\"none\" stroke=\"black\"/>\n",
        HEIGHT - EDGE,
        WIDTH - EDGE
    );
    for line in lines {
        out += &draw(line);
    }
    out += &label(EDGE, 20.0, legend);
    out += &label(12.0, EDGE + 4.0, "1");
    out += &label(12.0, HEIGHT - EDGE + 4.0, "0");
    out += &label(
        WIDTH - EDGE - 60.0,
        HEIGHT - 20.0,
        &format!("step {last:.0}"),
    );
    out + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_beyond_the_scale_stay_inside_the_picture() {
        let line = Line {
            color: "black",
            dash: "none",
            points: vec![(0, -1.0), (10, 2.0)],
        };
        let svg = picture(&[line], "a", "b");
        assert!(svg.contains("points=\"48.0,312.0 672.0,48.0\""), "{svg}");
    }
}
